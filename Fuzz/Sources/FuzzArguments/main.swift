import FuzzDriver
import FuzzSupport

fuzz(Checks.arguments)
