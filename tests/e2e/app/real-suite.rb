require_relative "../measure"
at_exit { puts clock_ms(Process::CLOCK_PROCESS_CPUTIME_ID).round }
require "minitest/autorun"

class BurningTest < Minitest::Test
  def test_it_burns = assert_nil(burn(0.6))
  def test_it_sleeps = assert_equal(0, sleep(0.1))
end
