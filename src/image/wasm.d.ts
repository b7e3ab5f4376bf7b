// A .wasm import is a compiled module. One declaration a file: the packages declare some of them as something else.
declare module '@jsquash/avif/codec/dec/avif_dec.wasm' {
  const module: WebAssembly.Module
  export default module
}
declare module '#generated/*.wasm' {
  const module: WebAssembly.Module
  export default module
}
