"""Problems: what a step of a program asks of a back end, without a word on how it is solved."""
