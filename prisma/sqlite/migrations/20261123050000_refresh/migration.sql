-- AlterTable
ALTER TABLE "Code" ADD COLUMN "epoch" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Code" ADD COLUMN "passkeyId" TEXT;
ALTER TABLE "Code" ADD COLUMN "refreshHash" TEXT;
ALTER TABLE "Code" ADD COLUMN "previousHash" TEXT;
ALTER TABLE "Code" ADD COLUMN "refreshedAt" BIGINT;
ALTER TABLE "Code" ADD COLUMN "refreshUntil" BIGINT;

-- CreateIndex
CREATE INDEX "Code_rootId_idx" ON "Code"("rootId");

-- CreateTable
CREATE TABLE "AppSession" (
    "rootId" TEXT NOT NULL,
    "appId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "expiresAt" BIGINT NOT NULL,

    PRIMARY KEY ("rootId", "appId"),
    CONSTRAINT "AppSession_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AppSession_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "AppSession_appId_idx" ON "AppSession"("appId");

-- CreateIndex
CREATE INDEX "AppSession_userId_idx" ON "AppSession"("userId");

-- CreateIndex
CREATE INDEX "AppSession_expiresAt_idx" ON "AppSession"("expiresAt");
