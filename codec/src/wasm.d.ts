// A .wasm import is a compiled module.
declare module '#generated/*.wasm' {
  const module: WebAssembly.Module
  export default module
}
