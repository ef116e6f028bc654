export { ChargeList } from '../components/ChargeList.tsx'
