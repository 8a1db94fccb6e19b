-- DropIndex
DROP INDEX "Session_userId_idx";
-- CreateIndex
CREATE INDEX "Session_userId_openedAt_idx" ON "Session"("userId", "openedAt");
