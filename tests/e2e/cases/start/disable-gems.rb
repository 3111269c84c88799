require_relative "../../burn"
def zz_app = burn(0.3)
zz_app
print defined?(Gem).inspect, " ", ENV["RUBYOPT"]
exit 4
