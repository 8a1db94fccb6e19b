-- AlterTable
ALTER TABLE "Code" ADD COLUMN "epoch" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Code" ADD COLUMN "passkeyId" TEXT;
ALTER TABLE "Code" ADD COLUMN "refreshHash" TEXT;
ALTER TABLE "Code" ADD COLUMN "previousHash" TEXT;
ALTER TABLE "Code" ADD COLUMN "refreshedAt" BIGINT;
ALTER TABLE "Code" ADD COLUMN "refreshUntil" BIGINT;

-- CreateIndex
CREATE INDEX "Code_rootId_idx" ON "Code"("rootId");
