import FuzzDriver
import FuzzSupport

fuzz(Checks.batch)
