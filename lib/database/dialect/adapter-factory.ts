import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'

/** Gives Prisma's client an adapter that is already connected, so that `directSql` shares it. */
export const adapterFactory = (adapter: SqlDriverAdapter): SqlDriverAdapterFactory => ({
  provider: adapter.provider,
  adapterName: adapter.adapterName,
  connect: async () => adapter,
})
