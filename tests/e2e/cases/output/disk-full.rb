require_relative "../../burn"
burn(0.2)
print "ran"
exit 5
