import FuzzDriver
import FuzzSupport

fuzz(Checks.like)
