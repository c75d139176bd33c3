import FuzzDriver
import FuzzSupport

fuzz(Checks.service)
