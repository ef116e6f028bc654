export { Address } from '../components/Address.tsx'
