-- AlterTable
ALTER TABLE "User" ADD COLUMN     "passwordSetAt" TIMESTAMP(3),
ADD COLUMN     "recoveryCodesMadeAt" TIMESTAMP(3);
