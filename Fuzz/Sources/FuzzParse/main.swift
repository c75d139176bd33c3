import FuzzDriver
import FuzzSupport

fuzz(Checks.parse)
