// A .wasm import is a compiled module. Each file has its own declaration: the packages declare some of them otherwise.
declare module '@jsquash/avif/codec/dec/avif_dec.wasm' {
  const module: WebAssembly.Module
  export default module
}
declare module '#generated/*.wasm' {
  const module: WebAssembly.Module
  export default module
}
