-- AlterTable
ALTER TABLE "Code" ADD COLUMN     "epoch" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "passkeyId" TEXT,
ADD COLUMN     "refreshHash" TEXT,
ADD COLUMN     "previousHash" TEXT,
ADD COLUMN     "refreshedAt" BIGINT,
ADD COLUMN     "refreshUntil" BIGINT;

-- CreateIndex
CREATE INDEX "Code_rootId_idx" ON "Code"("rootId");

-- CreateTable
CREATE TABLE "AppSession" (
    "rootId" TEXT NOT NULL,
    "appId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "expiresAt" BIGINT NOT NULL,

    CONSTRAINT "AppSession_pkey" PRIMARY KEY ("rootId","appId")
);

-- CreateIndex
CREATE INDEX "AppSession_appId_idx" ON "AppSession"("appId");

-- CreateIndex
CREATE INDEX "AppSession_userId_idx" ON "AppSession"("userId");

-- CreateIndex
CREATE INDEX "AppSession_expiresAt_idx" ON "AppSession"("expiresAt");

-- AddForeignKey
ALTER TABLE "AppSession" ADD CONSTRAINT "AppSession_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AppSession" ADD CONSTRAINT "AppSession_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
