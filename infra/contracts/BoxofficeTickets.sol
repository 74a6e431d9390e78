// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC165} from "@openzeppelin/contracts/interfaces/IERC165.sol";
import {IERC4906} from "@openzeppelin/contracts/interfaces/IERC4906.sol";
import {IERC5313} from "@openzeppelin/contracts/interfaces/IERC5313.sol";
import {ERC2981} from "@openzeppelin/contracts/token/common/ERC2981.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {BitMaps} from "@openzeppelin/contracts/utils/structs/BitMaps.sol";
import {ERC721Orders} from "./ERC721Orders.sol";
import {IBoxofficeTickets} from "./IBoxofficeTickets.sol";
import {ICreatorToken, ITransferValidator} from "./ICreatorToken.sol";
import {IERC5192} from "./IERC5192.sol";
import {IERC6982} from "./IERC6982.sol";
import {IERC7572} from "./IERC7572.sol";

/// @title Event tickets, one token each
/// @notice {ERC721Orders} defines what a ticket is; this contract defines who may do what. Minters mint, burners
/// take back refunded tickets and lock used ones, and a third role announces changed metadata. The admin
/// (`DEFAULT_ADMIN_ROLE`, one account, also the {owner}) grants and revokes these roles, and sets transfers and their
/// validator, metadata addresses and royalties.
contract BoxofficeTickets is
    ERC721Orders,
    AccessControlDefaultAdminRules,
    ERC2981,
    IERC5192,
    IERC6982,
    IERC7572,
    ICreatorToken
{
    using BitMaps for BitMaps.BitMap;

    /// @notice The role that may mint orders.
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");

    /// @notice The role that may burn refunded tickets, and lock those that are no longer valid for entry.
    bytes32 public constant BURNER_ROLE = keccak256("BURNER_ROLE");

    /// @notice The role that may announce changed metadata.
    bytes32 public constant METADATA_ROLE = keccak256("METADATA_ROLE");

    /// @dev Seconds from offering the admin role to the earliest acceptance. The admin can change it with
    /// {changeDefaultAdminDelay}.
    uint48 private constant INITIAL_ADMIN_DELAY = 1 days;

    /// @dev ERC-4906 declares events only, so its id is given by the standard and not by functions.
    bytes4 private constant ERC4906_INTERFACE_ID = 0x49064906;

    /// @dev What decides about transfers, in one slot, which is all that a transfer reads of it.
    struct TransferRules {
        bool allowed;
        // Whether any ticket was ever locked: only then do transfers read `_locked`.
        bool anyLocked;
        // The zero address for none.
        address validator;
    }

    TransferRules private _rules;

    /// @dev Set for tickets that have a lock of their own. It is never cleared.
    BitMaps.BitMap private _locked;

    string private _baseTokenURI;

    /// @inheritdoc IERC7572
    string public override contractURI;

    /// @notice A holder, or an account the holder approved, tried to transfer while transfers are refused.
    error TransfersRefused();

    /// @notice A locked ticket can't be transferred.
    error TicketLocked(uint256 tokenId);

    /// @notice A transfer validator that is not a contract.
    error InvalidTransferValidator(address validator);

    /// @notice Transfers are allowed or refused from now on.
    event TransfersAllowedChanged(bool allowed);

    /// @notice The royalty of all tickets has changed.
    event DefaultRoyaltyChanged(address receiver, uint96 basisPoints);

    /// @param name_ The collection's name.
    /// @param symbol_ The collection's symbol.
    /// @param baseTokenURI What stands before the id in every token's URI; empty for no URIs.
    /// @param transfersAllowed_ Whether holders may transfer their tickets, until the admin changes it.
    /// @param admin The first admin. The zero address reverts with `AccessControlInvalidDefaultAdmin`.
    /// @param minters The first minters, who also receive the metadata role; may be empty.
    /// @param burners The first burners; may be empty.
    /// @param contractURI_ Where the collection's metadata is; empty for none.
    constructor(
        string memory name_,
        string memory symbol_,
        string memory baseTokenURI,
        bool transfersAllowed_,
        address admin,
        address[] memory minters,
        address[] memory burners,
        string memory contractURI_
    ) ERC721(name_, symbol_) AccessControlDefaultAdminRules(INITIAL_ADMIN_DELAY, admin) {
        _baseTokenURI = baseTokenURI;
        contractURI = contractURI_;
        _rules.allowed = transfersAllowed_;
        emit DefaultLocked(!transfersAllowed_);
        for (uint256 index = 0; index < minters.length; ++index) {
            _grantRole(MINTER_ROLE, minters[index]);
            _grantRole(METADATA_ROLE, minters[index]);
        }
        for (uint256 index = 0; index < burners.length; ++index) {
            _grantRole(BURNER_ROLE, burners[index]);
        }
    }

    /// @inheritdoc IBoxofficeTickets
    function mintOrder(bytes32 orderKey, address to, uint256 quantity) external onlyRole(MINTER_ROLE) {
        _mintOrder(orderKey, to, quantity);
    }

    /// @inheritdoc IBoxofficeTickets
    function mintOrders(Order[] calldata orders) external onlyRole(MINTER_ROLE) {
        for (uint256 index = 0; index < orders.length; ++index) {
            _mintOrder(orders[index].orderKey, orders[index].to, orders[index].quantity);
        }
    }

    /// @dev For holders of a role and the admin. An account that is neither is told the role.
    modifier onlyRoleOrAdmin(bytes32 role) {
        if (!hasRole(role, msg.sender) && !hasRole(DEFAULT_ADMIN_ROLE, msg.sender)) {
            revert AccessControlUnauthorizedAccount(msg.sender, role);
        }
        _;
    }

    /// @inheritdoc IBoxofficeTickets
    function burn(
        address holder,
        uint256[] calldata tokenIds
    ) external onlyRoleOrAdmin(BURNER_ROLE) {
        if (holder == address(0)) revert ERC721InvalidOwner(address(0));

        for (uint256 index = 0; index < tokenIds.length; ++index) {
            if (_ownerOf(tokenIds[index]) == holder) _burn(tokenIds[index]);
        }
    }

    /// @inheritdoc IBoxofficeTickets
    function lock(uint256[] calldata tokenIds) external onlyRoleOrAdmin(BURNER_ROLE) {
        for (uint256 index = 0; index < tokenIds.length; ++index) {
            uint256 tokenId = tokenIds[index];
            if (_ownerOf(tokenId) == address(0) || _locked.get(tokenId)) continue;

            _rules.anyLocked = true;
            _locked.set(tokenId);
            emit IERC5192.Locked(tokenId);
            emit IERC6982.Locked(tokenId, true);
            emit IERC4906.MetadataUpdate(tokenId);
        }
    }

    /// @notice Whether holders may transfer their tickets. Minting and burning are always possible.
    function transfersAllowed() external view returns (bool) {
        return _rules.allowed;
    }

    /// @notice Allows or refuses transfers of all tickets, minted and to come. Only for the admin. Tickets with a
    /// lock of their own stay locked.
    /// ERC-5192 has no event for all tokens at once: {announceLocks} emits its events for chosen tokens.
    function setTransfersAllowed(bool allowed) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _rules.allowed = allowed;
        emit TransfersAllowedChanged(allowed);
        emit DefaultLocked(!allowed);
    }

    /// @inheritdoc IERC6982
    /// @dev Tells indexers the state of all tickets at once. Minting does not emit {IERC5192-Locked}: at about
    /// 1,000 gas a ticket it would raise the cost of large orders by half.
    function defaultLocked() external view returns (bool) {
        return !_rules.allowed;
    }

    /// @notice Whether a ticket can't be transferred: because transfers are refused, or because of a lock of its
    /// own. Reverts for a ticket that does not exist.
    function locked(uint256 tokenId) public view override(IERC5192, IERC6982) returns (bool) {
        _requireOwned(tokenId);
        return !_rules.allowed || _locked.get(tokenId);
    }

    /// @notice Emits the ERC-5192 event of the present state for each of these tickets, for indexers that follow
    /// events alone. Only for the admin. Reverts when one of them does not exist.
    function announceLocks(uint256[] calldata tokenIds) external onlyRole(DEFAULT_ADMIN_ROLE) {
        for (uint256 index = 0; index < tokenIds.length; ++index) {
            if (locked(tokenIds[index])) emit IERC5192.Locked(tokenIds[index]);
            else emit Unlocked(tokenIds[index]);
        }
    }

    /// @notice Changes what stands before the id in every token's URI. Only for the admin.
    /// Emits the ERC-4906 event that makes marketplaces and wallets read all metadata again.
    function setBaseTokenURI(string calldata baseTokenURI) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _baseTokenURI = baseTokenURI;
        emit IERC4906.BatchMetadataUpdate(0, type(uint256).max);
    }

    /// @inheritdoc IBoxofficeTickets
    function refreshMetadata(
        uint256 fromTokenId,
        uint256 toTokenId
    ) external onlyRoleOrAdmin(METADATA_ROLE) {
        if (toTokenId < fromTokenId) revert InvalidTokenRange(fromTokenId, toTokenId);
        if (fromTokenId == toTokenId) emit IERC4906.MetadataUpdate(fromTokenId);
        else emit IERC4906.BatchMetadataUpdate(fromTokenId, toTokenId);
    }

    /// @notice Changes where the collection's metadata is. Only for the admin. The same address as before makes
    /// indexers read it again.
    function setContractURI(string calldata contractURI_) external onlyRole(DEFAULT_ADMIN_ROLE) {
        contractURI = contractURI_;
        emit ContractURIUpdated();
    }

    /// @notice Sets the royalty that {royaltyInfo} (ERC-2981) asks of every resale; 0 until then. Only for the
    /// admin. Marketplaces pay it voluntarily.
    /// @param receiver Who receives it. The zero address reverts with `ERC2981InvalidDefaultRoyaltyReceiver`.
    /// @param basisPoints Hundredths of a percent of the price, from 0 to 10,000; more reverts with
    /// `ERC2981InvalidDefaultRoyalty`.
    function setDefaultRoyalty(
        address receiver,
        uint96 basisPoints
    ) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _setDefaultRoyalty(receiver, basisPoints);
        emit DefaultRoyaltyChanged(receiver, basisPoints);
    }

    /// @inheritdoc ICreatorToken
    function getTransferValidator() external view returns (address validator) {
        return _rules.validator;
    }

    /// @inheritdoc ICreatorToken
    function getTransferValidationFunction()
        external
        pure
        returns (bytes4 functionSignature, bool isViewFunction)
    {
        return (ITransferValidator.validateTransfer.selector, true);
    }

    /// @inheritdoc ICreatorToken
    /// @dev Only for the admin. Minting, burning and locking are not transfers: a validator can't stop them. An
    /// address without code reverts with `InvalidTransferValidator`.
    function setTransferValidator(address validator) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (validator != address(0) && validator.code.length == 0) revert InvalidTransferValidator(validator);
        emit TransferValidatorUpdated(_rules.validator, validator);
        _rules.validator = validator;
    }

    /// @inheritdoc IERC165
    function supportsInterface(
        bytes4 interfaceId
    ) public view override(ERC721, AccessControlDefaultAdminRules, ERC2981) returns (bool) {
        return
            interfaceId == type(IBoxofficeTickets).interfaceId ||
            interfaceId == ERC4906_INTERFACE_ID ||
            interfaceId == type(IERC5192).interfaceId ||
            interfaceId == type(IERC5313).interfaceId ||
            interfaceId == type(IERC6982).interfaceId ||
            interfaceId == type(IERC7572).interfaceId ||
            interfaceId == type(ICreatorToken).interfaceId ||
            super.supportsInterface(interfaceId);
    }

    function _baseURI() internal view override returns (string memory) {
        return _baseTokenURI;
    }

    /// @dev Refuses transfers between holders that are not allowed.
    function _update(address to, uint256 tokenId, address auth) internal override returns (address) {
        if (to != address(0)) _checkTransfer(to, tokenId);
        return super._update(to, tokenId, auth);
    }

    function _checkTransfer(address to, uint256 tokenId) private view {
        TransferRules memory rules = _rules;
        if (!rules.allowed) revert TransfersRefused();
        if (rules.anyLocked && _locked.get(tokenId)) revert TicketLocked(tokenId);

        // A validator that transfers tickets itself has checked the transfer.
        if (rules.validator == address(0) || rules.validator == msg.sender) return;
        ITransferValidator(rules.validator).validateTransfer(msg.sender, _ownerOf(tokenId), to, tokenId);
    }
}
