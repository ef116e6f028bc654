export { Afterwards } from '../Afterwards.tsx'
