"""Native code of the host: compiled, linked, kept, and run by threads."""

from oakum.values import lazy_modules

# Native code, and its texts, for what runs on several threads or may be left.
lazy_modules.defer(
    "oakum.compile.native", ("interruption", "interruption_ir", "os_threads_ir", "thread_pool_ir")
)
