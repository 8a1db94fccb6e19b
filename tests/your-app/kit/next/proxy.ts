export { proxy } from './auth'
