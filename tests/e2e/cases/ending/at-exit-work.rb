require_relative "../../burn"
def zz_suite = burn(0.4)
def zz_nested = burn(0.2)
def zz_end = burn(0.2)
END { zz_end }
at_exit do
  at_exit { zz_nested; exit 3 }
  zz_suite
end
