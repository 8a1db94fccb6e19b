-- CreateTable
CREATE TABLE "Identifier" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "username" BOOLEAN NOT NULL DEFAULT false,
    "email" BOOLEAN NOT NULL DEFAULT false,
    "former" BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT "Identifier_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RetiredUsername" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "expiresAt" BIGINT NOT NULL
);

-- CreateIndex
CREATE INDEX "Identifier_userId_idx" ON "Identifier"("userId");

-- CreateIndex
CREATE INDEX "RetiredUsername_expiresAt_idx" ON "RetiredUsername"("expiresAt");

-- The usernames that there are.
INSERT INTO "Identifier" ("key", "userId", "username") SELECT "usernameKey", "id", true FROM "User";
