-- AlterTable
ALTER TABLE "User" ADD COLUMN     "renamedAt" BIGINT;

-- AlterTable
ALTER TABLE "Event" ADD COLUMN     "app" TEXT;

-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "rootId" TEXT;

-- CreateTable
CREATE TABLE "App" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "secretHash" TEXT,
    "previousSecretHash" TEXT,
    "previousSecretUntil" BIGINT,
    "redirectUris" TEXT NOT NULL,
    "signOutUris" TEXT NOT NULL DEFAULT '',
    "backChannelUri" TEXT,
    "homeUrl" TEXT,
    "pkce" BOOLEAN NOT NULL DEFAULT true,
    "trusted" BOOLEAN NOT NULL DEFAULT false,
    "requirePasskey" BOOLEAN NOT NULL DEFAULT false,
    "groups" TEXT NOT NULL DEFAULT '',
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "App_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Grant" (
    "id" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "appId" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "createdAt" BIGINT NOT NULL,
    "lastUsedAt" BIGINT,

    CONSTRAINT "Grant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Code" (
    "id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "grantId" TEXT NOT NULL,
    "rootId" TEXT NOT NULL,
    "redirectUri" TEXT NOT NULL,
    "challenge" TEXT,
    "nonce" TEXT,
    "scopes" TEXT NOT NULL,
    "amr" TEXT NOT NULL,
    "authTime" BIGINT NOT NULL,
    "validUntil" BIGINT NOT NULL,
    "usedAt" BIGINT,
    "ended" BOOLEAN NOT NULL DEFAULT false,
    "expiresAt" BIGINT NOT NULL,

    CONSTRAINT "Code_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SigningKey" (
    "kid" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "publicKey" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "signsFrom" BIGINT NOT NULL,
    "expiresAt" BIGINT,

    CONSTRAINT "SigningKey_pkey" PRIMARY KEY ("kid")
);

-- CreateIndex
CREATE UNIQUE INDEX "App_name_key" ON "App"("name");

-- CreateIndex
CREATE INDEX "Grant_appId_idx" ON "Grant"("appId");

-- CreateIndex
CREATE UNIQUE INDEX "Grant_userId_appId_key" ON "Grant"("userId", "appId");

-- CreateIndex
CREATE UNIQUE INDEX "Code_hash_key" ON "Code"("hash");

-- CreateIndex
CREATE INDEX "Code_grantId_idx" ON "Code"("grantId");

-- CreateIndex
CREATE INDEX "Code_expiresAt_idx" ON "Code"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "SigningKey_sequence_key" ON "SigningKey"("sequence");

-- CreateIndex
CREATE INDEX "SigningKey_expiresAt_idx" ON "SigningKey"("expiresAt");

-- AddForeignKey
ALTER TABLE "Grant" ADD CONSTRAINT "Grant_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Grant" ADD CONSTRAINT "Grant_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Code" ADD CONSTRAINT "Code_grantId_fkey" FOREIGN KEY ("grantId") REFERENCES "Grant"("id") ON DELETE CASCADE ON UPDATE CASCADE;
