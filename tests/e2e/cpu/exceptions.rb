require_relative "../measure"

def zz_raising
  tries = 0
  begin
    burn(0.05)
    raise ArgumentError, "again" if (tries += 1) < 4
  rescue ArgumentError
    retry
  end
end

def zz_ensured
  burn(0.1)
  raise IOError
ensure
  burn(0.1)
end

def zz_thrown = catch(:done) { loop { burn(0.2); throw :done } }

cpu(:raising) { zz_raising }
cpu(:ensured) { zz_ensured rescue nil }
cpu(:thrown) { zz_thrown }
report_measured
