require_relative "../../burn"
def zz_after = burn(0.4)
zz_after
exit 6
