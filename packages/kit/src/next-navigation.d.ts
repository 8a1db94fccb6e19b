declare module 'next/navigation' {
  export { forbidden, redirect } from 'next/navigation.js'
}
