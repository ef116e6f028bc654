export { ResultScreen } from '../components/ResultScreen.tsx'
