import FuzzDriver
import FuzzSupport

fuzz(Checks.mongoReader)
