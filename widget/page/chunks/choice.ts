export { Presets } from '../components/Presets.tsx'
export { Quantity } from '../components/Quantity.tsx'
