DEFAULT_POLICY="step"
def detect(path): return None
def load(path,form,policy): return ()
