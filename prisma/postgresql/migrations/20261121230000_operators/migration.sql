-- AlterTable
ALTER TABLE "User" ADD COLUMN     "userHandle" TEXT,
ADD COLUMN     "disabled" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "Passkey" ADD COLUMN     "userHandle" TEXT;

-- Until now every passkey was made under its account's ID.
UPDATE "Passkey" SET "userHandle" = "userId";
