-- AlterTable
ALTER TABLE "Code" ADD COLUMN     "epoch" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "passkeyId" TEXT,
ADD COLUMN     "refreshHash" TEXT,
ADD COLUMN     "previousHash" TEXT,
ADD COLUMN     "refreshedAt" BIGINT,
ADD COLUMN     "refreshUntil" BIGINT;

-- CreateIndex
CREATE INDEX "Code_rootId_idx" ON "Code"("rootId");
