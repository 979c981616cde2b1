"""What assuming normality buys when it is true: Efron's asymptotic relative efficiency, and small samples."""
