-- AlterTable
ALTER TABLE "Event" ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'changes';
ALTER TABLE "Event" ADD COLUMN "newBrowser" BOOLEAN NOT NULL DEFAULT false;

-- Sign-ins are listed apart from changes.
UPDATE "Event" SET "kind" = 'sign_ins' WHERE "type" IN ('account_created', 'signed_in', 'signin_failed', 'locked_out');

-- AlterTable
ALTER TABLE "Passkey" ADD COLUMN "createdConditionally" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "Session" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "method" TEXT NOT NULL,
    "passkeyId" TEXT,
    "browser" TEXT,
    "openedAt" BIGINT NOT NULL,
    "expiresAt" BIGINT NOT NULL,
    CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "FailureStreak" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "count" INTEGER NOT NULL,
    "expiresAt" BIGINT NOT NULL
);

-- CreateIndex
CREATE INDEX "Session_userId_idx" ON "Session"("userId");

-- CreateIndex
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");

-- CreateIndex
CREATE INDEX "FailureStreak_expiresAt_idx" ON "FailureStreak"("expiresAt");

-- SQLite would prefer it to the next one, and read all events of the other kind.
-- DropIndex
DROP INDEX "Event_userId_at_idx";

-- CreateIndex
CREATE INDEX "Event_userId_kind_at_idx" ON "Event"("userId", "kind", "at");
