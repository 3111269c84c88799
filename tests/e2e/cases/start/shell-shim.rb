require_relative "../../burn"
def zz_app = burn(0.3)
zz_app
exit 4
