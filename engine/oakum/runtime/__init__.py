"""What runs programs: concrete arrays and their evaluation."""
