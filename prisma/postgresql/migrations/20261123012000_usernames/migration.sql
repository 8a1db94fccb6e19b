-- CreateTable
CREATE TABLE "Identifier" (
    "key" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "username" BOOLEAN NOT NULL DEFAULT false,
    "email" BOOLEAN NOT NULL DEFAULT false,
    "former" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "Identifier_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "RetiredUsername" (
    "digest" TEXT NOT NULL,
    "expiresAt" BIGINT NOT NULL,

    CONSTRAINT "RetiredUsername_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE INDEX "Identifier_userId_idx" ON "Identifier"("userId");

-- CreateIndex
CREATE INDEX "RetiredUsername_expiresAt_idx" ON "RetiredUsername"("expiresAt");

-- AddForeignKey
ALTER TABLE "Identifier" ADD CONSTRAINT "Identifier_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The usernames that there are.
INSERT INTO "Identifier" ("key", "userId", "username") SELECT "usernameKey", "id", true FROM "User";
