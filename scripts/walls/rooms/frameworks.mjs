/** What only pages and components may import. */
export const frameworks = ['next', 'react', 'react-dom']
