"""Programs made small and anonymous that still have a finding, for `oakum report`."""
