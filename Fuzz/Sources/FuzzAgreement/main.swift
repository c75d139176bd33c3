import FuzzDriver
import FuzzSupport

fuzz(Checks.agreement)
