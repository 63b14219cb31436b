/// Moves a value into memory of its own, which is what a handle points to.
func allocated<Value: ~Copyable>(_ value: consuming Value) -> UnsafeMutablePointer<Value> {
    let handle = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    handle.initialize(to: value)
    return handle
}

func free<Value: ~Copyable>(_ handle: UnsafeMutablePointer<Value>) {
    handle.deinitialize(count: 1)
    handle.deallocate()
}
