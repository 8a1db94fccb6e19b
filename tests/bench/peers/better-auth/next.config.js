export default { serverExternalPackages: ['better-sqlite3', 'bcrypt'], turbopack: { root: import.meta.dirname } }
