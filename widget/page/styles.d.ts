// The bundler takes style sheets as imports; the compiler has to be told.
declare module '*.css'
