import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'

/** Hands Prisma's client a connected adapter, so that `directSql` shares it. */
export const adapterFactory = (adapter: SqlDriverAdapter): SqlDriverAdapterFactory => ({
  provider: adapter.provider,
  adapterName: adapter.adapterName,
  connect: async () => adapter,
})
