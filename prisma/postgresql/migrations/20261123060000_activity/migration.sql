-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "lastActiveAt" BIGINT;
