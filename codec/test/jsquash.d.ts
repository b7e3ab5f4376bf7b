// A .wasm import is a compiled module. One declaration a file: the packages declare some of them as something else.
declare module '@jsquash/avif/codec/dec/avif_dec.wasm' {
  const module: WebAssembly.Module
  export default module
}
declare module '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm' {
  const module: WebAssembly.Module
  export default module
}
declare module '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm' {
  const module: WebAssembly.Module
  export default module
}
declare module '@jsquash/webp/codec/dec/webp_dec.wasm' {
  const module: WebAssembly.Module
  export default module
}
declare module '@jsquash/webp/codec/enc/webp_enc_simd.wasm' {
  const module: WebAssembly.Module
  export default module
}
