export { Address } from '../Address.tsx'
