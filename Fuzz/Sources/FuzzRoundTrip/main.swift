import FuzzDriver
import FuzzSupport

fuzz(Checks.roundTrip)
