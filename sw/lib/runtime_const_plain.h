/* Runtime constants as C expressions: the compiler folds them, or loads what they are made of. */
#define runtime_const(name)        runtime_value_##name()
#define runtime_const_upper(name)  runtime_value_##name()
#define runtime_const_shl(x, name) ((u32)(x) << runtime_value_##name())
#define runtime_const_shr(x, name) ((u32)(x) >> runtime_value_##name())
