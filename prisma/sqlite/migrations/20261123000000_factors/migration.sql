-- AlterTable
ALTER TABLE "User" ADD COLUMN "passwordSetAt" DATETIME;
ALTER TABLE "User" ADD COLUMN "recoveryCodesMadeAt" DATETIME;
