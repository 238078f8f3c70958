;; CPython calls a C function with all arguments that it has, and functions may have fewer parameters. WebAssembly traps
;; where their number differs. CoWasm calls such functions through JavaScript, which drops the arguments that are left
;; over, and which takes longer than most of these functions.
(module
  (import "env" "__indirect_function_table" (table 0 funcref))
  (import "env" "parameters" (func $parameters (param i32) (result i32)))
  (memory 16) ;; a byte for each of a million functions: 1 + the number of its parameters, 0 until it is first called
  (type $none (func (result i32)))
  (type $one (func (param i32) (result i32)))
  (type $two (func (param i32 i32) (result i32)))
  (type $three (func (param i32 i32 i32) (result i32)))

  (func $call (export "call") (param $f i32) (param $a i32) (param $b i32) (param $c i32) (result i32)
    (local $known i32)
    (local.set $known (i32.load8_u (local.get $f)))
    (if (i32.eqz (local.get $known)) (then
      (local.set $known (i32.add (call $parameters (local.get $f)) (i32.const 1)))
      (i32.store8 (local.get $f) (local.get $known))))
    (if (i32.eq (local.get $known) (i32.const 3)) (then
      (return (call_indirect (type $two) (local.get $a) (local.get $b) (local.get $f)))))
    (if (i32.eq (local.get $known) (i32.const 4)) (then
      (return (call_indirect (type $three) (local.get $a) (local.get $b) (local.get $c) (local.get $f)))))
    (if (i32.eq (local.get $known) (i32.const 2)) (then
      (return (call_indirect (type $one) (local.get $a) (local.get $f)))))
    (call_indirect (type $none) (local.get $f)))

  (func (export "get") (param $f i32) (param $a i32) (param $b i32) (result i32)
    (call $call (local.get $f) (local.get $a) (local.get $b) (i32.const 0))))
